extension Gallery {
    /// The style of the page, in light and in dark mode.
    static let style = """
        :root {
          --paper: #fbfaf8; --ink: #1d1d1f; --quiet: #6b6b70; --card: #ffffff;
          --line: #e3e1dc; --focus: #0a66d8;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #161617; --ink: #f2f2f4; --quiet: #a0a0a8; --card: #222224;
            --line: #38383c; --focus: #6cb2ff;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem 4rem;
          background: var(--paper); color: var(--ink);
          font: 1rem/1.5 system-ui, sans-serif;
        }
        h1 { margin: 0; font-size: 2rem; overflow-wrap: anywhere; }
        h2 { margin: 2.5rem 0 .5rem; font-size: 1.35rem; overflow-wrap: anywhere; }
        header p, figcaption { color: var(--quiet); }
        header p { margin: 0; }
        ul { margin: 0 0 1rem; padding-left: 1.2rem; overflow-wrap: anywhere; }
        li { white-space: pre-line; }
        .photos {
          display: grid; gap: 1rem;
          grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
        }
        figure {
          margin: 0; border: 1px solid var(--line); border-radius: .75rem;
          background: var(--card); overflow: hidden; cursor: zoom-in;
        }
        figure:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
        figure img, .none { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: cover; }
        .none { display: grid; place-items: center; color: var(--quiet); }
        figcaption { padding: .6rem .8rem .7rem; font-size: .85rem; overflow-wrap: anywhere; }
        figcaption b { color: var(--ink); font-weight: 600; }
        dialog {
          max-width: 96vw; max-height: 96vh; border: 0; border-radius: .75rem; padding: 0;
          background: var(--card); color: var(--ink); text-align: center;
        }
        dialog img { display: block; max-width: 96vw; max-height: 86vh; margin: auto; }
        dialog img:not([src]) { display: none; }
        dialog p { margin: .6rem 1rem; }
        dialog::backdrop { background: rgb(0 0 0 / .8); }
        """

    /// The large view: Enter or a click opens it, the arrow keys turn the pages, Escape closes it.
    static let script = """
        const figures = [...document.querySelectorAll("figure")];
        const viewer = document.getElementById("viewer");
        const large = document.getElementById("large");
        let current = 0;
        function show(index) {
          current = (index + figures.length) % figures.length;
          const image = figures[current].querySelector("img");
          if (image) { large.src = image.src; large.alt = image.alt; }
          else { large.removeAttribute("src"); large.alt = ""; }
          document.getElementById("caption").textContent =
            figures[current].querySelector("b").textContent;
          if (!viewer.open) viewer.showModal();
        }
        figures.forEach((figure, index) => {
          figure.addEventListener("click", () => show(index));
          figure.addEventListener("keydown", event => {
            if (event.key === "Enter" || event.key === " ") { event.preventDefault(); show(index); }
          });
        });
        document.addEventListener("keydown", event => {
          const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
          if (!step || !figures.length) return;
          const focused = figures.indexOf(document.activeElement);
          if (viewer.open) show(current + step);
          else if (focused >= 0) figures[(focused + step + figures.length) % figures.length].focus();
          else return;
          event.preventDefault();
        });
        viewer.addEventListener("click", () => viewer.close());
        viewer.addEventListener("close", () => figures[current].focus());
        """
}
