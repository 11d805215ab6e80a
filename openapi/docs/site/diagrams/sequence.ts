import { html } from 'ghtml'
import { box, numbered, tip } from './shapes.ts'
import { DRAWING_WIDTH, type DrawnStep, type Step } from './step.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

const EDGE = 40
const TOP = 62
const STEP_HEIGHT = 36
const BOX_MAX = 76

/** A sequence diagram from top to bottom: participants stand side by side in the order of appearance. */
export function drawnSequence(steps: readonly Step[]): DrawnStep {
  const names = [...new Set(steps.flatMap(({ from, to }) => [from, to]))]
  const apart = (DRAWING_WIDTH - 2 * EDGE) / Math.max(1, names.length - 1)
  const placeOf = (name: string): number => EDGE + names.indexOf(name) * apart
  const height = TOP + steps.length * STEP_HEIGHT
  const lines = names.map((name) => html`<path class="life" d="M${placeOf(name)} 30V${height - 8}"/>`)
  const heads = names.map((name) => box(placeOf(name), 16, Math.min(BOX_MAX, apart - 8), name))
  const arrows = steps.map(({ from, to, short }, index) => {
    const [x, end, y] = [placeOf(from), placeOf(to), TOP + 8 + index * STEP_HEIGHT]
    const isToRight = end > x
    return html`<path class="arrow" d="M${x} ${y}H${end}"/>!${tip(end, y, isToRight ? 'right' : 'left')}!${numbered(x, y, index + 1)}<text class="said" x="${(x + end + (isToRight ? 8 : -8)) / 2}" y="${y - 6}">${short}</text>`
  })
  return {
    markup: [...lines, ...heads, ...arrows].join(''),
    height,
    about: `${steps.length} messages between ${names.join(', ')}, one after the other.`,
    isNumbered: true,
  }
}
