/*
 * What the page can do besides being read: sort, filter and search the
 * questions, and walk along the charts by pointer and by keys.  Text gets
 * into the page by textContent alone.
 */
"use strict";

(() => {
	const all = (selector, root) =>
		Array.from((root || document).querySelectorAll(selector));

	const make = (name, text, parent) => {
		const element = document.createElement(name);
		element.textContent = text;
		if (parent)
			parent.append(element);
		return element;
	};

	/* --------------------------------------------------------- sorting -- */

	/* A number where the cell has one; what has none stands last. */
	const keyOf = (row, column) => {
		const cell = row.cells[column];
		const text = cell.dataset.k || cell.textContent.trim();
		const number = Number(text);
		if (text !== "" && !Number.isNaN(number))
			return number;
		return text;
	};

	const compare = (a, b) => {
		const an = typeof a === "number";
		const bn = typeof b === "number";
		if (an && bn)
			return a - b;
		if (an !== bn)
			return an ? -1 : 1;
		if (a === "" || b === "")
			return (a === "") - (b === "");
		return a < b ? -1 : a > b ? 1 : 0;
	};

	const sortBy = (table, column, descending) => {
		const body = table.tBodies[0];
		const keyed = all("tr", body).map((row, i) =>
			({row, i, key: keyOf(row, column)}));
		keyed.sort((a, b) => {
			/* Those without a value stay last either way. */
			if (a.key === "" || b.key === "" || !descending)
				return compare(a.key, b.key) || a.i - b.i;
			return compare(b.key, a.key) || a.i - b.i;
		});
		body.append(...keyed.map((k) => k.row));
	};

	const makeSortable = (table) => {
		const heads = all("thead th", table);
		heads.forEach((head, column) => {
			if (head.dataset.sort === "no")
				return;
			const button = make("button", head.textContent);
			button.type = "button";
			head.replaceChildren(button);
			button.addEventListener("click", () => {
				const was = head.getAttribute("aria-sort");
				const first = head.dataset.sort || "ascending";
				const other = first === "ascending" ?
					"descending" : "ascending";
				const now = was === first ? other : first;
				heads.forEach((h) =>
					h.removeAttribute("aria-sort"));
				head.setAttribute("aria-sort", now);
				sortBy(table, column, now === "descending");
			});
		});
	};

	all("table.sortable").forEach(makeSortable);

	/* ------------------------------------------------------- filtering -- */

	const makeFilter = (tools) => {
		const table = document.getElementById(tools.dataset.of);
		const rows = all("tbody tr", table);
		const texts = rows.map((row) =>
			row.cells[0].textContent.toLowerCase());
		const search = tools.querySelector("input");
		const chips = all(".chips button", tools);
		const count = tools.querySelector("[role=status]");
		let kind = "";

		const apply = () => {
			const words = search.value.toLowerCase().split(/\s+/)
				.filter((word) => word);
			let shown = 0;
			rows.forEach((row, i) => {
				row.hidden = !(!kind ||
					row.classList.contains(kind)) ||
					!words.every((w) => texts[i].includes(w));
				shown += !row.hidden;
			});
			count.textContent = shown === rows.length ?
				`${shown} questions` :
				`${shown} of ${rows.length} questions`;
		};

		chips.forEach((chip) => chip.addEventListener("click", () => {
			kind = chip.dataset.kind;
			chips.forEach((c) => c.setAttribute("aria-pressed",
				String(c === chip)));
			apply();
		}));
		search.addEventListener("input", apply);
		search.addEventListener("keydown", (event) => {
			if (event.key === "Escape" && search.value) {
				search.value = "";
				apply();
			}
		});
		tools.hidden = false;
		apply();
		return search;
	};

	const searches = all(".tools").map(makeFilter);

	document.addEventListener("keydown", (event) => {
		const typing = event.target.closest("input, select, textarea");
		if (event.key !== "/" || typing || event.ctrlKey ||
		    event.metaKey || event.altKey || !searches.length)
			return;
		event.preventDefault();
		searches[0].focus();
	});

	/* ---------------------------------------------------------- charts -- */

	/* What a point is called: its row of the table of records. */
	const recordsOf = (id) => {
		const table = document.getElementById(id);
		if (!table)
			return [];
		return all("tbody tr", table).map((row) => ({
			name: row.dataset.name || row.cells[0].textContent.trim(),
			at: row.cells[1].textContent.trim(),
			verdict: row.cells[2].textContent.trim(),
			subject: row.lastElementChild.textContent.trim(),
			skipped: Number(row.dataset.skipped || 0)
		})).reverse();
	};

	const tip = make("div", "", document.body);
	tip.className = "tip";
	tip.hidden = true;

	const svg = (name, attributes, parent) => {
		const element = document.createElementNS(
			"http://www.w3.org/2000/svg", name);
		Object.entries(attributes).forEach(([key, value]) =>
			element.setAttribute(key, value));
		parent.append(element);
		return element;
	};

	const sayRank = (value) => ({
		"": "not asked",
		"-": "not found",
		"!": "error"
	})[value] || `rank ${value}`;

	const makeChart = (plot) => {
		const picture = plot.querySelector("svg");
		const data = picture.dataset;
		const values = data.v.split(",");
		const common = data.w ? data.w.split(",") : [];
		const ys = data.y.split(",");
		const records = recordsOf(data.of);
		const from = Number(data.from);
		const step = Number(data.step);
		const width = picture.viewBox.baseVal.width;
		let at = values.length - 1;
		let cursor = null;
		let dot = null;

		const say = (i) => {
			if (data.kind === "rank")
				return sayRank(values[i]);
			let text = values[i] === "" ? "not recorded" : values[i];
			if (common[i])
				text += `, common questions ${common[i]}`;
			return text;
		};

		const lines = (i) => {
			const r = records[i] || {};
			const gap = r.skipped > 0 ?
				`${r.skipped} without a record before it` : "";
			return [say(i), r.subject,
				[r.name, r.at, r.verdict].filter((t) => t)
					.join(" \u00b7 "), gap].filter((t) => t);
		};

		const place = (i) => {
			const box = picture.getBoundingClientRect();
			const scale = box.width / width;
			const x = box.left + (from + step * i) * scale;
			const room = document.documentElement.clientWidth;
			const left = Math.min(Math.max(x - tip.offsetWidth / 2, 8),
				room - tip.offsetWidth - 8);
			tip.style.left = `${left + window.scrollX}px`;
			tip.style.top = `${box.top + window.scrollY -
				tip.offsetHeight - 6}px`;
		};

		const show = (i) => {
			at = Math.min(Math.max(i, 0), values.length - 1);
			const x = from + step * at;
			if (!cursor) {
				cursor = svg("path", {class: "cursor"}, picture);
				dot = svg("circle", {class: "at", r: 4}, picture);
			}
			cursor.setAttribute("d", `M${x} ${data.top}V${data.bottom}`);
			dot.setAttribute("cx", x);
			dot.setAttribute("cy", ys[at] || 0);
			dot.setAttribute("visibility",
				ys[at] ? "visible" : "hidden");
			const text = lines(at);
			tip.replaceChildren();
			text.forEach((t, k) => make(k ? "span" : "b", t, tip));
			tip.hidden = false;
			place(at);
			plot.setAttribute("aria-valuenow", at + 1);
			plot.setAttribute("aria-valuetext", text.join(", "));
		};

		const hide = () => {
			tip.hidden = true;
			if (cursor)
				cursor.remove();
			if (dot)
				dot.remove();
			cursor = dot = null;
		};

		plot.tabIndex = 0;
		plot.setAttribute("role", "slider");
		plot.setAttribute("aria-label",
			picture.getAttribute("aria-label"));
		plot.setAttribute("aria-valuemin", 1);
		plot.setAttribute("aria-valuemax", values.length);
		plot.setAttribute("aria-valuenow", values.length);
		plot.setAttribute("aria-valuetext", lines(at).join(", "));
		picture.setAttribute("aria-hidden", "true");
		picture.removeAttribute("role");

		plot.addEventListener("pointermove", (event) => {
			const box = picture.getBoundingClientRect();
			const x = (event.clientX - box.left) / box.width * width;
			show(step ? Math.round((x - from) / step) : 0);
		});
		plot.addEventListener("pointerleave", hide);
		plot.addEventListener("focus", () => show(at));
		plot.addEventListener("blur", hide);
		plot.addEventListener("keydown", (event) => {
			const steps = {
				ArrowLeft: -1, ArrowDown: -1,
				ArrowRight: 1, ArrowUp: 1,
				PageUp: 10, PageDown: -10,
				Home: -values.length, End: values.length
			}[event.key];
			if (event.key === "Escape")
				hide();
			if (steps === undefined || event.ctrlKey ||
			    event.metaKey || event.altKey)
				return;
			event.preventDefault();
			show(at + steps);
		});
	};

	all(".chart .plot").forEach(makeChart);
})();
