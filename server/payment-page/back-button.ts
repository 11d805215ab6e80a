import { html } from 'ghtml'
import type { PaymentPage } from './page.ts'
import { named, plainLine } from './text.ts'

/** On a phone a longer name makes a button of three lines or more; the name is at the top of the page in any case. */
const NAME_MAX_CHARACTERS = 32

/** Links to the merchant's site. */
export function backButton({ view, speech: { say } }: PaymentPage, backTo: string): string {
  const name = plainLine(view.merchantName)
  const fits = name !== '' && [...name].length <= NAME_MAX_CHARACTERS
  const words = fits ? say('goBackTo', { merchant: named(name) }) : say('goBackToShop')
  return html`<p><a class="button primary" href="${backTo}">!${words}</a></p>`
}
