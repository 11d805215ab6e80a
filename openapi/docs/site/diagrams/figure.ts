import { html } from 'ghtml'
import { drawnSchedule } from './schedule.ts'
import { drawnSequence } from './sequence.ts'
import { drawnStates } from './states.ts'
import type { DrawnStep, Step } from './step.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

const DRAWERS = { sequence: drawnSequence, states: drawnStates, schedule: drawnSchedule } satisfies Record<
  string,
  (steps: readonly Step[]) => DrawnStep
>

/**
 * Draws a diagram from a fence: `diagram sequence Who calls whom` with lines such as
 * `You → Malipo: initialize, POST /collections/initialize`. The same lines stand beside it as a list with the same
 * information.
 *
 * @returns undefined when the fence is not a diagram
 */
export function figureFor(fence: string, text: string): string | undefined {
  const [, kind = '', title = ''] = /^diagram (\w+) (.+)$/.exec(fence) ?? []
  if (title === '') return undefined
  const drawer = Object.entries(DRAWERS).find(([name]) => name === kind)?.[1]
  if (drawer === undefined) throw new Error(`there is no diagram of the kind ${kind}`)
  const steps = text.trim().split('\n').map(stepIn)
  const { markup, height, about, isNumbered } = drawer(steps)
  const id = `diagram-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
  const list = steps.map(({ between, said }) => html`<li><strong>${between}</strong>: ${said}</li>`).join('')
  return html`<figure class="diagram"><svg viewBox="0 0 360 ${height}" role="img" aria-labelledby="${id} ${id}-about"><title id="${id}">${title}</title><desc id="${id}-about">${about} The list beside it says the same.</desc>!${markup}</svg><figcaption><p>${title}</p><!${isNumbered ? 'ol' : 'ul'}>!${list}</!${isNumbered ? 'ol' : 'ul'}></figcaption></figure>`
}

function stepIn(line: string): Step {
  const [, between = '', said = ''] = /^(.+?): (.+)$/.exec(line) ?? []
  if (said === '') throw new Error(`a line of a diagram says what happens after a colon: ${line}`)
  const [from = '', to = ''] = between.split(' → ')
  return { between, from, to, said, short: said.split(', ')[0] ?? said }
}
