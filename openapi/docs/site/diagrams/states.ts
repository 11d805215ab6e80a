import { html } from 'ghtml'
import { box, numbered, tip } from './shapes.ts'
import type { DrawnStep, Step } from './step.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

const HEIGHT = 262
const BOX_WIDTH = 102

/** Positions of a transaction's states. */
const STATES: Readonly<Record<string, { readonly x: number; readonly y: number; readonly isFinal: boolean }>> = {
  PENDING: { x: 108, y: 36, isFinal: false },
  PROCESSING: { x: 256, y: 112, isFinal: false },
  CANCELLED: { x: 56, y: 204, isFinal: true },
  FAILED: { x: 180, y: 204, isFinal: true },
  COMPLETED: { x: 304, y: 204, isFinal: true },
}

interface StatePath {
  readonly path: string
  readonly end: readonly [x: number, y: number, direction: 'right' | 'down' | 'up']
  readonly disc: readonly [x: number, y: number]
  /** An exceptional transition. */
  readonly isRare?: boolean
}

/** The transitions. */
const WAYS: Readonly<Record<string, StatePath>> = {
  'PENDING → PROCESSING': { path: 'M159 36H256V97', end: [256, 97, 'down'], disc: [256, 60] },
  'PENDING → CANCELLED': { path: 'M76 51V189', end: [76, 189, 'down'], disc: [76, 120] },
  'PENDING → FAILED': { path: 'M146 51V189', end: [146, 189, 'down'], disc: [146, 120] },
  'PROCESSING → FAILED': { path: 'M220 127V189', end: [220, 189, 'down'], disc: [220, 156] },
  'PROCESSING → COMPLETED': { path: 'M288 127V189', end: [288, 189, 'down'], disc: [288, 156] },
  'FAILED → COMPLETED': { path: 'M180 219V244H304V219', end: [304, 219, 'up'], disc: [242, 244], isRare: true },
}

/** The states of a transaction and the transitions between them. @throws Error for a transition without a position */
export function drawnStates(steps: readonly Step[]): DrawnStep {
  const ways = steps.map(({ between }, index) => {
    const way = WAYS[between]
    if (way === undefined) throw new Error(`no place is drawn for ${between}`)
    const { path, end, disc, isRare } = way
    return html`<path class="arrow !${isRare ? 'rare' : ''}" d="${path}"/>!${tip(...end)}!${numbered(...disc, index + 1)}`
  })
  const boxes = Object.entries(STATES).map(([name, { x, y, isFinal }]) =>
    box(x, y, BOX_WIDTH, name, isFinal ? 'final' : ''),
  )
  return {
    markup: `<path class="arrow" d="M108 4V21"/>${tip(108, 21, 'down')}<circle class="disc" cx="108" cy="5" r="4"/>${ways.join('')}${boxes.join('')}`,
    height: HEIGHT,
    about: `It begins with PENDING; COMPLETED, FAILED and CANCELLED are final. ${steps.length} ways lead from one to another.`,
    isNumbered: true,
  }
}
