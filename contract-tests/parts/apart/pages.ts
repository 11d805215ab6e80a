import { newCustomer, visit, type Customer, type Form, type Page } from '../../driver/browser.ts'
import { pageAddress } from '../../driver/customer.ts'
import { descriptionOf, ON_PAGE, redirectOf, type CreatedPayment } from './created-payments.ts'
import { verify } from '../../driver/merchant.ts'
import type { MerchantPair } from './merchant-pair.ts'

const ABOUT = 'paymentPage'

/** The page of one merchant's payment shows nothing about the other's and does nothing to it. */
export async function pages(pair: MerchantPair, made: readonly CreatedPayment[]): Promise<void> {
  const [first, second] = [pair.first, pair.second].map((merchant) =>
    made.find((payment) => payment.what === ON_PAGE && payment.merchant === merchant),
  )
  if (!first || !second) return
  const opened = await Promise.all([open(pair, first), open(pair, second)])
  const [one, other] = opened
  if (!one || !other) return
  silent(pair, first, second, one.html)
  silent(pair, second, first, other.html)
  await foreignForm(pair, first, one, second, other)
  await foreignForm(pair, second, other, first, one)
  for (const { payment, customer, page } of opened.flatMap((each) => (each ? [each] : []))) {
    const form = pays(page)
    if (form) await visit(customer, form).catch(() => undefined)
    await pair.settle([payment])
    // The rule "redirects" compares where it leads.
    await visit(customer).catch(() => undefined)
  }
}

interface OpenedPage {
  readonly payment: CreatedPayment
  readonly customer: Customer
  readonly page: Page
  readonly html: string
}

/** The customer's account. */
const pays = ({ forms }: Page): Form | undefined => forms.find(({ button }) => !/cancel/i.test(button))

async function open(pair: MerchantPair, payment: CreatedPayment): Promise<OpenedPage | undefined> {
  const customer = newCustomer(pageAddress(pair.target, payment.answer.data) ?? '')
  try {
    const page = await visit(customer)
    const html = await (await fetch(customer.url, { signal: AbortSignal.timeout(10_000) })).text()
    return { payment, customer, page, html }
  } catch {
    const { answer, merchant } = payment
    pair.hold(ABOUT, 'there', `the payment page of ${merchant.name} does not answer`, [answer])
    return undefined
  }
}

/** The page contains nothing of the other merchant's payment. */
function silent(pair: MerchantPair, { answer, merchant }: CreatedPayment, other: CreatedPayment, html: string): void {
  const secrets = [
    other.reference,
    other.internalReference,
    descriptionOf(other.merchant),
    new URL(redirectOf(other.merchant)).host,
  ]
  const reported = secrets.find((text) => html.includes(text))
  const fault = reported !== undefined && `the payment page of ${merchant.name} names ${reported} of the other one`
  pair.hold(ABOUT, 'silent', fault, [answer])
}

/** A form of one merchant's page, sent to the other's with the first page's cookies, confirms nothing. */
async function foreignForm(
  pair: MerchantPair,
  mine: CreatedPayment,
  { customer, page }: OpenedPage,
  others: CreatedPayment,
  opened: OpenedPage,
): Promise<void> {
  const [form, aim] = [pays(page), pays(opened.page)]
  if (!form || !aim) return
  const visitor: Customer = { cookies: new Map(customer.cookies), url: opened.customer.url }
  await visit(visitor, { ...form, action: aim.action }).catch(() => undefined)
  await pair.target.own?.advance(0)
  const { data } = await verify(others.merchant, others.reference)
  const status = String(data['transaction_status'])
  const fault =
    status !== 'PENDING' &&
    `the form of a page of ${mine.merchant.name} moved a payment of ${others.merchant.name}: it is ${status}`
  pair.hold(ABOUT, 'form of another', fault, [mine.answer, others.answer])
}
