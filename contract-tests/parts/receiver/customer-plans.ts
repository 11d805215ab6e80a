import type { Target } from '../../harness/part.ts'
import type { Customer } from '../../driver/browser.ts'
import { customerOf, SANDBOX_OTP, walk, WRONG_OTP } from '../../driver/customer.ts'
import { postRequest, sendRequest } from '../../driver/requests.ts'
import type { Findings } from '../../driver/findings.ts'
import type { Fields } from '../../harness/json.ts'
import type { Scenario } from './scenario.ts'

interface CustomerContext {
  readonly target: Target
  readonly findings: Findings<Scenario>
  readonly curl: string
}

/** Follows the plan right after the collection was accepted. @returns the page, where there is one */
export async function act(
  scenario: Scenario,
  accepted: Fields,
  { target, findings, curl }: CustomerContext,
): Promise<Customer | undefined> {
  const { customer: plan, name, account } = scenario
  const hold = (about: string, fault: string | false) => {
    const faults = fault === false ? [] : [{ rule: fault, what: fault, timed: true } as const]
    findings.hold(about, 1, faults, name, { scenario, curl })
  }
  if (plan === 'authorizes') {
    const { internal_reference } = accepted
    const authorize = async (otp: number) =>
      (await sendRequest(target.url, postRequest(target, 'authorizeCollection', { internal_reference, otp }))).status
    const wrong = await authorize(WRONG_OTP)
    hold('authorizeCollection', wrong !== 400 && `a wrong OTP is answered ${wrong} instead of 400`)
    const right = await authorize(SANDBOX_OTP)
    hold('authorizeCollection', right !== 202 && `the right OTP is answered ${right} instead of 202`)
    return undefined
  }
  const visitor = customerOf(target, accepted)
  hold('paymentPage', !visitor && 'the reply carries no payment_url')
  if (!visitor) return undefined
  try {
    if (plan !== 'never comes') await walk(plan === 'cancels' || plan === 'pays' ? plan : 'guesses', visitor, account)
  } catch {
    hold('paymentPage', 'the payment page does not answer')
  }
  return visitor
}
