import { html } from 'ghtml'
import { plainLine } from './text.ts'

/** Colours by which customers recognise their operator; names only, no third-party logos. */
export const MARKS: Readonly<Record<string, readonly [back: string, text: string]>> = {
  mtn: ['#ffcb05', '#1f1a00'],
  airtel: ['#d5000c', '#ffffff'],
  mpesa: ['#007a3d', '#ffffff'],
  vodacom: ['#d5000c', '#ffffff'],
  tigopesa: ['#00377b', '#ffffff'],
}

/** `mtn_ug` belongs to the brand `mtn`. */
const brandOf = (providerCode: string): string => providerCode.split('_', 1)[0] ?? ''

/** The provider's commonly known name; in neutral colours when its brand is unknown. */
export function providerMark(providerCode: string, providerName: string): string {
  const brand = brandOf(providerCode)
  return html`<bdi class="mark !${Object.hasOwn(MARKS, brand) ? `mark-${brand}` : ''}">${plainLine(providerName)}</bdi>`
}

export const MARK_STYLE = Object.entries(MARKS)
  .map(([brand, [back, text]]) => `.mark-${brand} { background: ${back}; color: ${text}; }`)
  .join('\n')
