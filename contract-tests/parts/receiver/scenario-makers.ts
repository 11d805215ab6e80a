import type { Draw } from './draw.ts'
import { OK } from './replies.ts'
import type { CustomerPlan, Outcome, Scenario } from './scenario.ts'

export const SANDBOX_OTP = 123_456
export const WRONG_OTP = 654_321
export const REDIRECT_URL = 'https://shop.example/done?order=7&note=a%20b'

const USUAL = { handshakes: [OK], callbacks: [OK], finalAfterMs: 0 }

type Outcomes = readonly Outcome[]
type More = Partial<Scenario>
type Fields = Scenario['body']

export function collection(
  { phone, amount, random }: Draw,
  name: string,
  ending: string,
  outcomes: Outcomes,
  more: More = {},
  fields: Fields = {},
): Scenario {
  const msisdn = phone(ending)
  const body = {
    transaction_method: 'MOBILE_MONEY',
    provider_code: 'mtn_ug',
    msisdn,
    currency: 'UGX',
    amount: amount(),
    description: 'Two coffees please',
    charge_customer: random() < 0.5,
    ...fields,
  }
  const operation = 'initializeCollection'
  return { ...USUAL, name: `collection ${name}`, operation, body, account: msisdn, outcomes, ...more }
}

/** On the payment page. */
export const hosted = (
  draw: Draw,
  name: string,
  ending: string,
  outcomes: Outcomes,
  customer: CustomerPlan,
  more: More = {},
): Scenario =>
  collection(
    draw,
    `on the page ${name}`,
    ending,
    outcomes,
    { customer, ...more },
    { mobile_money_hpp: true, redirect_url: REDIRECT_URL },
  )

export function bankCollection(
  { amount, account }: Draw,
  name: string,
  ending: string,
  outcomes: Outcomes,
  customer: CustomerPlan,
): Scenario {
  const body = {
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    currency: 'NGN',
    amount: 1_000 + amount(),
    description: 'School fees of March',
    redirect_url: REDIRECT_URL,
    customer_name: 'Amina Nakato',
  }
  const operation = 'initializeCollection'
  const at = account('01', ending)
  return { ...USUAL, name: `bank collection ${name}`, operation, body, account: at, customer, outcomes }
}

export function payout(
  { phone, amount }: Draw,
  name: string,
  ending: string,
  outcomes: Outcomes,
  more: More = {},
  fields: Fields = {},
): Scenario {
  const account = phone(ending)
  const body = {
    transaction_method: 'MOBILE_MONEY',
    provider_code: 'mtn_ug',
    account_number: account,
    currency: 'UGX',
    amount: amount(),
    customer_name: 'Amina Nakato',
    description: 'Refund of an order',
    ...fields,
  }
  return { ...USUAL, name: `payout ${name}`, operation: 'sendFunds', body, account, outcomes, ...more }
}

export function bankPayout(draw: Draw, ending: string, outcomes: Outcomes): Scenario {
  const account = draw.account('02', ending)
  const fields = {
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    account_number: account,
    currency: 'NGN',
    amount: 1_000 + draw.amount(),
    extra_params: { bank_code: 'access_bank_ng' },
  }
  return payout(draw, `to a bank ${ending}`, ending, outcomes, { account }, fields)
}
