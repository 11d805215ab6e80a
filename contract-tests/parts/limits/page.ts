import type { Target } from '../../harness/part.ts'
import { newCustomer, visit, type Customer, type Page } from '../receiver/customer.ts'
import type { ApiReply } from './requests.ts'

/** The payment page of a collection; undefined when the reply links to none. */
export function openPage({ own, url: address }: Target, { data }: ApiReply): Customer | undefined {
  const url = URL.parse(String(data.payment_url))
  // Our own gateway is reached through the target's address, where everything is recorded.
  return url ? newCustomer(own ? address + url.pathname : url.href) : undefined
}

/**
 * Submits the form that continues, or the one that cancels. @returns undefined when there is no such form, or no page
 */
export async function press(customer: Customer, what: 'pay' | 'cancel', otp?: number): Promise<Page | undefined> {
  const { forms } = await visit(customer)
  const form = forms.find(
    ({ button }) => /cancel/i.test(button) === (what === 'cancel') && !/new password/i.test(button),
  )
  if (!form) return undefined
  const typed = Object.keys(form.fields).flatMap((name): [string, string][] =>
    /otp/i.test(name) && otp !== undefined ? [[name, String(otp)]] : [],
  )
  return visit(customer, form, Object.fromEntries(typed))
}
