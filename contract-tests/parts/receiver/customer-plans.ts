import type { Target } from '../../harness/part.ts'
import { newCustomer, visit, type Customer, type Page } from './customer.ts'
import type { Findings } from './findings.ts'
import type { Fields } from './message-fields.ts'
import type { createRequests } from './requests.ts'
import type { Scenario } from './scenario.ts'
import { SANDBOX_OTP, WRONG_OTP } from './scenario-makers.ts'

interface CustomerContext {
  readonly target: Target
  readonly api: ReturnType<typeof createRequests>
  readonly findings: Findings
  readonly curl: string
}

const GUESSES = 5
const PAGES_MAX = 4

/** Follows the plan right after the collection was accepted. @returns the page, where there is one */
export async function act(
  scenario: Scenario,
  accepted: Fields,
  { target, api, findings, curl }: CustomerContext,
): Promise<Customer | undefined> {
  const { customer: plan, name, account } = scenario
  const hold = (about: string, fault: string | false) => {
    const faults = fault === false ? [] : [{ rule: fault, what: fault, timed: true } as const]
    findings.hold(about, 1, faults, name, { scenario, curl })
  }
  if (plan === 'authorizes') {
    const authorize = async (otp: number) =>
      (await api.post('/collections/authorize', { internal_reference: accepted.internal_reference, otp }, false)).status
    const wrong = await authorize(WRONG_OTP)
    hold('authorizeCollection', wrong !== 400 && `a wrong OTP is answered ${wrong} instead of 400`)
    const right = await authorize(SANDBOX_OTP)
    hold('authorizeCollection', right !== 202 && `the right OTP is answered ${right} instead of 202`)
    return undefined
  }
  const url = URL.parse(String(accepted.payment_url))
  hold('paymentPage', !url && 'the reply carries no payment_url')
  if (!url) return undefined
  // Our own gateway is reached through the target's address, where everything is recorded.
  const visitor = newCustomer(target.own ? target.url + url.pathname : url.href)
  try {
    if (plan !== 'never comes') await walk(plan === 'cancels' || plan === 'pays' ? plan : 'guesses', visitor, account)
  } catch {
    hold('paymentPage', 'the payment page does not answer')
  }
  return visitor
}

/** Goes through the pages of a payment as its customer does. @param account entered where the page needs one */
export async function walk(what: 'pays' | 'cancels' | 'guesses', visitor: Customer, account: string): Promise<void> {
  let page: Page = await visit(visitor)
  for (let step = 0; step < (what === 'guesses' ? GUESSES + 1 : PAGES_MAX) && page.redirectsTo === undefined; step++) {
    const form = page.forms.find(
      ({ button }) => /cancel/i.test(button) === (what === 'cancels') && !/new password/i.test(button),
    )
    if (!form) return
    const password = what === 'guesses' ? WRONG_OTP : SANDBOX_OTP
    const typed = (name: string): [string, string][] => {
      if (/otp/i.test(name)) return [[name, String(password)]]
      return /account/i.test(name) ? [[name, account]] : []
    }
    page = await visit(visitor, form, Object.fromEntries(Object.keys(form.fields).flatMap(typed)))
  }
}

/** Where the page redirects a customer who opens it now; undefined when it does not redirect. */
export const openPage = (visited: Customer): Promise<string | undefined> =>
  visit(visited).then(
    ({ redirectsTo }) => redirectsTo,
    () => undefined,
  )
