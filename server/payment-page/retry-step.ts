import { html } from 'ghtml'
import { whyFailed } from './final-step.ts'
import { alertAt, chooseBank, faulty } from './form-steps.ts'
import type { PaymentPage, Step } from './page.ts'
import { endOfAccount, plainLine } from './text.ts'

/**
 * After a failure: the same number again, another one, or another provider. The number itself is not shown, because
 * whoever has the link sees this page.
 */
export function tryAgain(page: PaymentPage, step: Step<'retry'>): string {
  const { view, path, token, entered, speech } = page
  const { say } = speech
  if (view.payment.transaction.method === 'BANK')
    return html`!${whyFailed(page, step)}!${chooseBank(page, step, 'retry')}`
  const form = html`<form method="post" action="${path}/retry"><input type="hidden" name="token" value="${token}">`
  return html`!${whyFailed(page, step)}
  !${form}<button class="primary" type="submit">!${say('retrySame', { digits: endOfAccount(step.account) })}</button></form>
  <div class="more"><h2>!${say('retryOther')}</h2>!${form}
    <label for="phone">!${say('phoneLabel')}</label>!${alertAt(page, 'phone')}
    <input id="phone" name="phone" type="tel" value="${entered?.phone ?? ''}" autocomplete="tel" required maxlength="40" !${faulty(page.error, 'phone', 'phone-help')}>
    <span class="help" id="phone-help">!${say('phoneHelp')}</span>
    !${step.options.length > 1 ? providers(page, step) : ''}
    <button class="second" type="submit">!${say('payWithNumber')}</button></form></div>`
}

const providers = ({ speech: { say } }: PaymentPage, { options }: Step<'retry'>): string => html`
    <label for="provider">!${say('payBy')}</label>
    <select id="provider" name="provider"><option value="">!${say('providerByNumber')}</option>
      !${options.map(({ providerCode, providerName }) => html`<option value="${providerCode}">${plainLine(providerName)}</option>`)}
    </select>`
