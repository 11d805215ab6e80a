import type { Fields } from '../harness/json.ts'
import type { Target } from '../harness/part.ts'
import { newCustomer, visit, type Cookies, type Customer, type Form, type Page } from './browser.ts'

// A customer of the sandbox, who knows its OTP.

export const SANDBOX_OTP = 123_456
export const WRONG_OTP = 654_321

/** Address of a collection's payment page, by the data of its reply; undefined when there is none. */
export function pageAddress(target: Target, { payment_url }: Fields): string | undefined {
  const url = URL.parse(String(payment_url))
  if (!url) return undefined
  const { own, url: api } = target
  // Pages of the server under test are opened through the target's address, where everything is recorded.
  return own || url.origin === directOrigin(target) ? api + url.pathname : url.href
}

const directOrigin = ({ directUrl, url }: Target): string => new URL(directUrl ?? url).origin

/**
 * The customer of a collection, before the page; undefined when the reply links to none. @param cookies of a browser
 * that has paid before
 */
export function customerOf(target: Target, data: Fields, cookies?: Cookies): Customer | undefined {
  const address = pageAddress(target, data)
  return address === undefined ? undefined : newCustomer(address, directOrigin(target), cookies)
}

const BUTTONS = { pay: /^(?!.*(?:cancel|new password))/i, cancel: /cancel/i, anew: /new password/i }
type Button = keyof typeof BUTTONS

/** The form that continues, that cancels, or that asks for a new one-time password. */
const formOf = ({ forms }: Page, what: Button): Form | undefined =>
  forms.find(({ button }) => BUTTONS[what].test(button))

/** Opens the page and submits one form. @returns undefined when there is no such form, or no page */
export async function press(customer: Customer, what: Button, typed: TypedValues = {}): Promise<Page | undefined> {
  const form = formOf(await visit(customer), what)
  return form && visit(customer, form, typedInto(form, typed))
}

const GUESSES = 5
const PAGES_MAX = 4

/** Goes through the pages of a payment as its customer does. @param account entered where the page needs one */
export async function walk(what: 'pays' | 'cancels' | 'guesses', visitor: Customer, account: string): Promise<void> {
  let page: Page = await visit(visitor)
  for (let step = 0; step < (what === 'guesses' ? GUESSES + 1 : PAGES_MAX) && page.redirectsTo === undefined; step++) {
    const form = formOf(page, what === 'cancels' ? 'cancel' : 'pay')
    if (!form) return
    const otp = what === 'guesses' ? WRONG_OTP : SANDBOX_OTP
    page = await visit(visitor, form, typedInto(form, { otp, account }))
  }
}

/** What a customer types where the page asks for it. */
interface TypedValues {
  readonly otp?: number
  readonly account?: string
}

const typedInto = ({ fields }: Form, { otp, account }: TypedValues): Record<string, string> =>
  Object.fromEntries(
    Object.keys(fields).flatMap((name): [string, string][] => {
      if (/otp/i.test(name)) return otp === undefined ? [] : [[name, String(otp)]]
      return account !== undefined && /account/i.test(name) ? [[name, account]] : []
    }),
  )

/** Where the page redirects a customer who opens it now; undefined when it does not redirect. */
export const redirectOf = (customer: Customer): Promise<string | undefined> =>
  visit(customer).then(
    ({ redirectsTo }) => redirectsTo,
    () => undefined,
  )
