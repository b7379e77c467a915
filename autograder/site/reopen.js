// Put into JupyterLab's page by build.py, before anything else there runs. JupyterLab takes ?path=... out of its
// address as soon as the file is open, and JupyterLite keeps no layout: without this, a reload shows an empty desk.
// Where the browser gives no storage, this throws, and a reload is what it was.
{
  const key = "opened " + location.pathname;
  if (new URLSearchParams(location.search).has("path")) {
    sessionStorage.setItem(key, location.search);
  } else if (sessionStorage.getItem(key)) {
    history.replaceState(null, "", location.pathname + sessionStorage.getItem(key) + location.hash);
  }
}
