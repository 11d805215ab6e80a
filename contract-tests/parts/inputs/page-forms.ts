import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { cookiesFor, newCustomer, visit, type Customer, type Form } from '../../driver/browser.ts'
import { REDIRECT_URL } from './input-requests.ts'
import { pageAddress } from '../../driver/customer.ts'
import { passOn, wireRequest } from '../../harness/proxy.ts'

const SOURCE = 'a page of another site must neither pay nor cancel for its visitor'
const FOREIGN = 'https://evil.example'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** How the browser of a customer sends a form that stands on another site. */
interface ForeignForm {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** What is not sent: the page's cookie, or hidden fields that the other site does not know. */
  readonly lacks?: 'cookie' | 'fields'
}

const SENT_BY_OTHERS: readonly ForeignForm[] = [
  {
    name: 'with Sec-Fetch-Site: cross-site',
    headers: { 'sec-fetch-site': 'cross-site', origin: FOREIGN, referer: `${FOREIGN}/` },
  },
  { name: 'with Sec-Fetch-Site: same-site', headers: { 'sec-fetch-site': 'same-site', origin: FOREIGN } },
  { name: 'with the Origin of another site', headers: { origin: FOREIGN } },
  {
    name: 'with the Referer of another site and without its hidden fields',
    headers: { referer: `${FOREIGN}/` },
    lacks: 'fields',
  },
  { name: 'without its cookie', headers: { origin: 'null' }, lacks: 'cookie' },
]

/** A form of the payment page has an effect only when the page itself sends it. */
export async function pageForms(fixture: DriverFixture): Promise<void> {
  const rows = SENT_BY_OTHERS.flatMap((sent) => (['pay', 'cancel'] as const).map((what) => [sent, what] as const))
  await forEachOf(rows, ([sent, what]) => sentByOthers(fixture, sent, what))
}

async function sentByOthers(fixture: DriverFixture, sent: ForeignForm, what: 'pay' | 'cancel'): Promise<void> {
  const driver = fixture.driver(`the form to ${what}, ${sent.name}`)
  const reference = driver.reference()
  const hosted = { mobile_money_hpp: true, redirect_url: REDIRECT_URL }
  const { data } = await driver.collect({ merchant_reference: reference, msisdn: driver.phone(), ...hosted })
  const address = pageAddress(fixture.target, data)
  // The part `receiver` reports a collection without a page, and a page without its forms.
  if (address === undefined) return
  const customer = newCustomer(address)
  const { forms } = await visit(customer).catch(() => ({ forms: [] as readonly Form[] }))
  const form = forms.find(({ button }) => /cancel/i.test(button) === (what === 'cancel'))
  if (!form) return
  const { transaction_status: before } = await driver.verify(reference)
  if (typeof before !== 'string') return
  const status = await submitted(customer, form, sent)
  await driver.advance(0)
  const after = await driver.verify(reference)
  const isKept = after.transaction_status === before && status >= 400 && status < 500
  const came = `was answered ${status}, and the payment is ${String(after.transaction_status)}`
  driver.story.note(`the form to ${what} on the payment page, sent ${sent.name}`)
  const effect = `the form to ${what}, sent ${sent.name}, ${came}; it must be refused (4xx), and the payment must stay ${before}: ${SOURCE}`
  driver.hold('paymentPage', isKept, `a form ${sent.name} has an effect`, effect)
  if (isKept) await sentByPage(driver, reference, customer, form)
}

/** The same form, as the page sends it: it still works. */
async function sentByPage(driver: PaymentDriver, reference: string, customer: Customer, form: Form): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' }
  const status = await submitted(customer, form, { headers })
  const { transaction_status } = await driver.settled(reference)
  driver.hold(
    'paymentPage',
    status < 400 && transaction_status !== 'PENDING',
    'a form of the page itself is refused',
    `a form that the payment page itself sends was answered ${status}, and the payment stays ${String(transaction_status)}`,
  )
}

/** @returns the status; 0 when no reply came */
async function submitted(
  customer: Customer,
  form: Form,
  { headers, lacks }: Pick<ForeignForm, 'headers' | 'lacks'>,
): Promise<number> {
  const { origin, pathname, search } = new URL(form.action, customer.url)
  const cookie = lacks === 'cookie' ? '' : cookiesFor(customer.cookies, new URL(customer.url))
  const sent = { 'content-type': FORM_TYPE, ...headers, ...(cookie !== '' && { cookie }) }
  const body = new URLSearchParams(lacks === 'fields' ? {} : form.fields).toString()
  return passOn(new URL(origin), wireRequest('POST', pathname + search, sent, body)).then(
    ({ status }) => status,
    () => 0,
  )
}
