import * as bodies from '../../driver/bodies.ts'
import type { ScenarioDraw } from './draw.ts'
import { OK } from '../../driver/merchant-replies.ts'
import type { CustomerPlan, Outcome, Scenario } from './scenario.ts'

export const REDIRECT_URL = 'https://shop.example/done?order=7&note=a%20b'

const USUAL = { handshakes: [OK], callbacks: [OK], finalAfterMs: 0 }

type Outcomes = readonly Outcome[]
type ScenarioChanges = Partial<Scenario>
type Fields = Scenario['body']

export function collection(
  { phone, amount, random }: ScenarioDraw,
  name: string,
  ending: string,
  outcomes: Outcomes,
  more: ScenarioChanges = {},
  fields: Fields = {},
): Scenario {
  const msisdn = phone(ending)
  const body = bodies.mobileCollection({ msisdn, amount: amount(), charge_customer: random() < 0.5, ...fields })
  const operation = 'initializeCollection'
  return { ...USUAL, name: `collection ${name}`, operation, body, account: msisdn, outcomes, ...more }
}

/** On the payment page. */
export const hosted = (
  draw: ScenarioDraw,
  name: string,
  ending: string,
  outcomes: Outcomes,
  customer: CustomerPlan,
  more: ScenarioChanges = {},
  fields: Fields = {},
): Scenario =>
  collection(
    draw,
    `on the page ${name}`,
    ending,
    outcomes,
    { customer, ...more },
    { mobile_money_hpp: true, redirect_url: REDIRECT_URL, ...fields },
  )

export function bankCollection(
  { amount, account }: ScenarioDraw,
  name: string,
  ending: string,
  outcomes: Outcomes,
  customer: CustomerPlan,
): Scenario {
  const customer_name = 'Amina Nakato'
  const body = bodies.bankCollection({ amount: 1_000 + amount(), redirect_url: REDIRECT_URL, customer_name })
  const operation = 'initializeCollection'
  const at = account('01', ending)
  return { ...USUAL, name: `bank collection ${name}`, operation, body, account: at, customer, outcomes }
}

export function payout(
  { phone, amount }: ScenarioDraw,
  name: string,
  ending: string,
  outcomes: Outcomes,
  more: ScenarioChanges = {},
  fields: Fields = {},
): Scenario {
  const account = phone(ending)
  const body = bodies.mobilePayout({ account_number: account, amount: amount(), ...fields })
  return { ...USUAL, name: `payout ${name}`, operation: 'sendFunds', body, account, outcomes, ...more }
}

export function bankPayout(draw: ScenarioDraw, ending: string, outcomes: Outcomes): Scenario {
  const account = draw.account('02', ending)
  const fields = bodies.bankPayout({ account_number: account, amount: 1_000 + draw.amount() })
  return payout(draw, `to a bank ${ending}`, ending, outcomes, { account }, fields)
}
