// Starts a worker. It runs the same wasm as the page: main() sees that there is no window and becomes the reader.
import init from "./web.js";

// main() sets the message handler, and the page does not wait for that: what it posts meanwhile is kept and handed over.
const early = [];
const keep = (event) => early.push(event);
self.addEventListener("message", keep);
await init({ module_or_path: new URL("./web_bg.wasm", import.meta.url) });
self.removeEventListener("message", keep);
for (const { data, ports } of early) {
  self.dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
}
