import { newCustomer, visit, type Customer, type Form, type Page } from '../../driver/browser.ts'
import { pageAddress } from '../../driver/customer.ts'
import { followPayments } from '../../driver/follow-payments.ts'
import { isFinal } from '../../driver/message-fields.ts'
import { descriptionOf, ON_PAGE, redirectOf, type CreatedPayment } from './created-payments.ts'
import type { MerchantPair } from './merchant-pair.ts'

const ABOUT = 'paymentPage'

interface OpenedPage {
  readonly payment: CreatedPayment
  readonly customer: Customer
  /** The customer's account. */
  readonly form: Form | undefined
  readonly html: string
}

/** The page of one merchant's payment shows nothing about the other's and does nothing to it. */
export async function pages({ fixture: { target } }: MerchantPair, made: readonly CreatedPayment[]): Promise<void> {
  const opened: OpenedPage[] = []
  for (const payment of made.filter(({ what }) => what === ON_PAGE)) {
    const customer = newCustomer(pageAddress(target, payment.reply.data) ?? '')
    const page = await visit(customer).catch(() => undefined)
    const what = `the payment page of ${payment.merchant.name} does not answer`
    payment.driver.hold(ABOUT, page !== undefined, 'there', what)
    if (page) opened.push({ payment, customer, form: paysIn(page), html: await htmlOf(customer) })
  }
  const [one, other] = opened
  if (!one || !other) return
  for (const [mine, others] of [[one, other] as const, [other, one] as const]) {
    silent(mine, others.payment)
    await foreignForm(mine, others)
    await target.own?.advance(0)
    const { driver, merchant, reference } = others.payment
    const { transaction_status: status } = await driver.verify(reference)
    const what = `the form of a page of ${mine.payment.merchant.name} moved a payment of ${merchant.name}: it is ${String(status)}`
    driver.hold(ABOUT, status === 'PENDING', 'form of another', what)
  }
  for (const { payment, customer, form } of opened) {
    if (form) await visit(customer, form).catch(() => undefined)
    await followPayments(target, [payment], ({ record }) => isFinal(record))
    // The rule "redirects" compares where it leads.
    await visit(customer).catch(() => undefined)
  }
}

const paysIn = ({ forms }: Page): Form | undefined => forms.find(({ button }) => !/cancel/i.test(button))
const htmlOf = async ({ url }: Customer): Promise<string> =>
  (await fetch(url, { signal: AbortSignal.timeout(10_000) })).text().catch(() => '')

/** The page contains nothing of the other merchant's payment. */
function silent({ payment: { driver, merchant }, html }: OpenedPage, other: CreatedPayment): void {
  const { host } = new URL(redirectOf(other.merchant))
  const secrets = [other.reference, other.internalReference, descriptionOf(other.merchant), host]
  const shown = secrets.find((text) => html.includes(text))
  const what = `the payment page of ${merchant.name} names ${shown} of the other one`
  driver.hold(ABOUT, shown === undefined, 'silent', what)
}

/** A form of one merchant's page, sent to the other's with the first page's cookies. */
async function foreignForm({ customer, form }: OpenedPage, others: OpenedPage): Promise<void> {
  if (!form || !others.form) return
  // A browser would keep them to the first page.
  const cookies = new Map([...customer.cookies].map(([key, cookie]) => [key, { ...cookie, path: '/' }]))
  const visitor: Customer = { cookies, url: others.customer.url }
  await visit(visitor, { ...form, action: others.form.action }).catch(() => undefined)
}
