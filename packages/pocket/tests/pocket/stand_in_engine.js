/** A few pages in place of the engine's worker. STARTS is the code of its start, and PREFIX its folder. */
const tongue = path => /^\/([a-z]{2})$/.exec(path)?.[1] ?? 'en';
const words = path => `<!doctype html>
  <html lang="${tongue(path)}" ${path.startsWith('/dark') ? 'data-theme="dark"' : ''}>
  <head><meta charset="utf-8"><title>At ${path} | Pubdice</title>
  <meta name="theme-color" content="#123456" http-equiv="x-no" id="x">
  <style>a, button { display: inline-block; padding: 1rem; }</style></head><body>`;
const site = ({ headers }) => new Map(headers).get('sec-fetch-site') ?? '';
const stage = path => (path.startsWith('/t/PLAYED') ? 'data-stage="playing"' : '');
const page = path => `${words(path)}<main ${stage(path)}><h1>At ${path}</h1>
  <p><a id="table" href="PREFIX/t/ABCDEF">A table</a> <a id="dark" href="PREFIX/dark">Dark</a></p>
  <p><a id="german" href="PREFIX/de">German</a></p>
  <form method="post" action="PREFIX/move"><button id="move">Move</button>
  ${path === '/dark' ? '<input id="name" autofocus>' : ''}</form></main>
  <footer class="foot"><nav aria-label="More"><ul><li><a href="PREFIX/help">Help</a></li>
  <li><a href="#this-device">This device</a></li><li><a href="#other-phones">Other phones</a></li>
  <li><a href="PREFIX/saved" download>Save</a></li>
  <li><a href="PREFIX/missing" download="x.txt">Save nothing</a></li></ul></nav>
  </footer><div id="polite" role="log" aria-live="polite"></div>
  <div id="assertive" role="alert" aria-live="assertive"></div></body></html>`;

window.asked = [];
window.tongues = [];
window.Worker = class {
  constructor() {
    window.engine = this;
  }
  tell(data) {
    setTimeout(() => this.onmessage?.({ data }));
  }
  terminate() {
    this.ended = true;
  }
  postMessage(data, ports) {
    asked.push(data.method ? `${data.method} ${data.target} ${site(data)}`.trim() : Object.keys(data)[0]);
    if (data.method) tongues.push(new Map(data.headers).get('accept-language'));
    if (data.start) STARTS;
    if (data.end) this.tell({ ended: true });
    if (data.save)
      this.tell({ saved: new TextEncoder().encode('every table'), name: 'pubdice.zip', large: !!window.large });
    if (data.look)
      this.tell(
        data.look.byteLength > 9
          ? { looked: { here: window.isEmpty ? 0 : 3, there: 5 } }
          : { refused: 'That is no house.' },
      );
    if (data.restore && !window.reads) this.tell({ restored: true });
    if (!data.method || window.holds) return;
    const odd = window.odd?.[/\/odd\/(\d+)$/.exec(data.target)?.[1]];
    for (const said of odd ?? []) ports[0].postMessage(said);
    if (odd) return;
    const file = data.target.endsWith('/saved') && [['content-disposition', 'attachment; filename="a.record"']];
    const body = file ? 'pubdice 1' : page(data.target.slice('PREFIX'.length));
    const policy = ['content-security-policy', "frame-ancestors 'self'"];
    ports[0].postMessage({
      status: data.target.endsWith('/missing') ? 404 : 200,
      headers: [['content-type', 'text/html; charset=utf-8'], policy, ...(file || [])],
    });
    ports[0].postMessage({ part: new TextEncoder().encode(body), more: false });
  }
};
