/** Once loaded, lets boxes grow where CSS does not (`field-sizing`): as is typed, and as the page
 * changes. */
const boxes = "textarea:is(.control, .journal):not(.content-field)";

function resize(box: HTMLTextAreaElement) {
  const { scrollX, scrollY } = window;
  const edges = box.offsetHeight - box.clientHeight;
  if (box.scrollHeight <= box.clientHeight) box.style.height = "0";
  box.style.height = `${box.scrollHeight + edges}px`;
  if (scrollY !== window.scrollY) scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
}

function resizeAll() {
  for (const box of document.querySelectorAll<HTMLTextAreaElement>(boxes))
    if (box.clientHeight) resize(box);
}

let isAsked = false;
function soon() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    resizeAll();
  });
}
for (const kind of ["input", "toggle"]) document.addEventListener(kind, soon, true);
addEventListener("resize", soon);
new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
resizeAll();

export {};
