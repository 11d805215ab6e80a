import { html } from 'ghtml'
import type { PaymentPage } from './page.ts'

/**
 * Above a payment of the sandbox: that no money moves, and which numbers decide what happens. In English: it is for
 * those who build a shop.
 */
export const sandboxBar = ({ sandbox, hint, view: { step } }: PaymentPage): string =>
  sandbox
    ? html`
<aside class="sandbox" lang="en" aria-label="Sandbox"><p><strong>Sandbox: no real money moves.</strong> ${sentence(hint ?? (step.step === 'choose_bank' ? TEST_NUMBERS : ''))}
  !${step.step === 'enter_otp' ? 'The one-time password is <strong>123456</strong>.' : ''}</p></aside>`
    : ''

/** Before there is a number to tell about: the outcomes that are tried most. */
const TEST_NUMBERS =
  'The last three digits of the account number decide: 001 pays, 002 has too little money, 004 declines, 005 asks for a one-time password.'
const sentence = (text: string): string => (text === '' || text.endsWith('.') ? text : `${text}.`)
