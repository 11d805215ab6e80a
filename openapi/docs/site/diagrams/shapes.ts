import { html } from 'ghtml'

// ghtml escapes every ${value}; `!${value}` is markup made here. Colours are classes: they change with the theme.

/** A number in a circle. */
export const numbered = (x: number, y: number, number: number): string =>
  html`<circle class="disc" cx="${x}" cy="${y}" r="9"/><text class="number" x="${x}" y="${y + 4}">${number}</text>`

const TIP = 7
/** An arrowhead at a point. @param direction in which it points */
export function tip(x: number, y: number, direction: 'right' | 'left' | 'down' | 'up'): string {
  const ends = {
    right: [-TIP, -TIP / 2, -TIP, TIP / 2],
    left: [TIP, -TIP / 2, TIP, TIP / 2],
    down: [-TIP / 2, -TIP, TIP / 2, -TIP],
    up: [-TIP / 2, TIP, TIP / 2, TIP],
  }[direction]
  const [ax = 0, ay = 0, bx = 0, by = 0] = ends
  return `<path class="tip" d="M${x} ${y}L${x + ax} ${y + ay}L${x + bx} ${y + by}Z"/>`
}

/** A box with a label. @param x of its centre, as `y` */
export const box = (x: number, y: number, width: number, word: string, kind = ''): string =>
  html`<rect class="box !${kind}" x="${x - width / 2}" y="${y - 15}" width="${width}" height="30" rx="6"/><text class="word" x="${x}" y="${y + 4}">${word}</text>`
