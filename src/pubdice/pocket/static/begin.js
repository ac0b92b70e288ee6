/** Has the folder's files come while the page's own scripts do; shell_version.js says what becomes of it. */
navigator.serviceWorker?.register(new URL('../sw.js', import.meta.url)).catch(() => {});
