// Starts a worker of the page: the reader.
import init from "./reader.js";

// main() sets the message handler, and the page does not wait for that: what it posts meanwhile is kept and handed over.
const early = [];
const keep = (event) => early.push(event);
self.addEventListener("message", keep);
await readAhead();
await init({ module_or_path: new URL("./reader_bg.wasm", import.meta.url) });
self.removeEventListener("message", keep);
for (const { data, ports } of early) {
  self.dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
}

// The worker that recovers has one that reads ahead for it (read_ahead.rs), where pages may share memory. It must be up before the
// first message is answered: while this one computes, nothing that it started can come up.
function readAhead() {
  if (self.name !== "recover" || !self.crossOriginIsolated) return null;
  const ahead = new Worker(new URL("./ahead.js", import.meta.url), { type: "module" });
  return new Promise((resolve) => {
    ahead.onmessage = () => resolve((self.ahead = ahead));
    ahead.onerror = () => resolve(null);
  });
}
