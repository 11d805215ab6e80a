import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { readCapped } from '../../http/body.ts'
import { isSameOrigin, refuseWith, sendJson, wantsJson, type RouteDeps } from './inbox-http.ts'
import type { SayInbox } from './inbox-texts.ts'
import { payUnasked, type PaidProvider, type UnaskedPayment } from './unrequested.ts'
import type { AccountMessageStore } from '../../actions/ports/account-messages.ts'

// ghtml escapes every ${value}; `!${value}` inserts our own markup. A literal text must therefore never end in an
// exclamation mark.

const URL_OF_ALL = '/sandbox/payments'
const BODY_MAX_BYTES = 4_096

/** The form by which a customer pays without being asked. */
export const unaskedForm = (say: SayInbox, providers: readonly PaidProvider[]): string => {
  const field = (name: keyof UnaskedPayment, value: string, rest: string): string =>
    html`<div class="field"><label for="unasked-${name}">${say(`unasked_${name}`)}</label><input id="unasked-${name}" name="${name}" value="${value}" autocomplete="off" !${rest}></div>`
  return html`<details id="unasked"><summary>${say('unasked')}</summary><p>${say('unaskedText')}</p>
<form class="stack" method="post" action="${URL_OF_ALL}"><div class="field"><label for="unasked-provider">${say('unasked_provider')}</label><select id="unasked-provider" name="provider">!${providers.map(({ code, name, currency }) => html`<option value="${code}">${name} (${currency})</option>`)}</select></div>
!${field('account', '256772000123', 'inputmode="numeric" required')}!${field('amount', '5000', 'inputmode="decimal" required')}!${field('reference', 'INV-1', 'maxlength="20"')}<button>${say('unaskedPay')}</button></form></details>`
}

/** Takes what that form, or a script, sends. */
export function serveUnrequested(
  app: FastifyInstance,
  deps: RouteDeps & { readonly accountMessages: Pick<AccountMessageStore, 'receive'> },
): void {
  app.post(URL_OF_ALL, async (request, reply) => {
    if (!isSameOrigin(request)) return deps.refuse(request, reply, 403, 'Customers pay from the own page only')
    const body = await readCapped(request.raw, BODY_MAX_BYTES)
    const form = new URLSearchParams(typeof body === 'string' ? '' : body.toString('utf8'))
    const read = (name: keyof UnaskedPayment): string => form.get(name)?.trim() ?? ''
    const paid = await payUnasked(deps, {
      provider: read('provider'),
      account: read('account').replaceAll(/[+ -]/g, ''),
      amount: read('amount'),
      reference: read('reference'),
    })
    if ('fault' in paid)
      return refuseWith(deps, request, reply, { status: 400, title: 'Nothing is paid', why: paid.fault })
    if (wantsJson(request)) return sendJson(reply, paid)
    return reply.redirect(`/sandbox/inbox?paid=${paid.receipt}`, 303)
  })
  deps.allowOnly(app, URL_OF_ALL, ['POST'])
}
