import { seededFractions } from '../../../server/verification/testing/seeded.ts'
import * as bodies from '../../driver/bodies.ts'
import { OK } from '../../driver/merchant-replies.ts'
import { outcomesOf } from '../../driver/test-numbers.ts'
import { present } from '../../harness/part.ts'
import type { CustomerPlan, Scenario } from './scenario.ts'

// Payments to a test number. Their outcome is that of the number, unless the changes have another one.

export const REDIRECT_URL = 'https://shop.example/done?order=7&note=a%20b'

/** Choices of a seed; the order of the calls matters. */
export interface ScenarioDraw {
  /** From 0 to 1. */
  readonly random: () => number
  pick<Item>(items: readonly Item[]): Item
  /** A phone number that is new in this run. */
  phone(ending: string): string
  /** A bank account that is new in this run. */
  account(prefix: string, ending: string): string
  readonly amount: () => number
}

/** @param run different for every run against the same server: part of the numbers */
export function createDraw(seed: number, run: number): ScenarioDraw {
  const random = seededFractions(seed)
  const pick = <Item>(items: readonly Item[]): Item =>
    present(items[Math.floor(random() * items.length)], 'item to pick')
  let counter = run * 1_000
  return {
    random,
    pick,
    phone: (ending) => `2567${pick(['7', '8', '6'])}${String(counter++ % 10_000).padStart(4, '0')}${ending}`,
    account: (prefix, ending) => `${prefix}${String(counter++ % 100_000).padStart(5, '0')}${ending}`,
    amount: () => 500 + Math.floor(random() * 4_500),
  }
}

const USUAL = { handshakes: [OK], callbacks: [OK], finalAfterMs: 0 }

type ScenarioChanges = Partial<Scenario>
type Fields = Scenario['body']

export function collection(
  { phone, amount, random }: ScenarioDraw,
  name: string,
  ending: string,
  more: ScenarioChanges = {},
  fields: Fields = {},
): Scenario {
  const account = phone(ending)
  const body = bodies.mobileCollection({
    msisdn: account,
    amount: amount(),
    charge_customer: random() < 0.5,
    ...fields,
  })
  const outcomes = outcomesOf('COLLECTION', ending)
  return { ...USUAL, name: `collection ${name}`, operation: 'initializeCollection', body, account, outcomes, ...more }
}

/** On the payment page. */
export const hosted = (
  draw: ScenarioDraw,
  name: string,
  ending: string,
  customer: CustomerPlan,
  more: ScenarioChanges = {},
  fields: Fields = {},
): Scenario =>
  collection(
    draw,
    `on the page ${name}`,
    ending,
    { customer, ...more },
    { mobile_money_hpp: true, redirect_url: REDIRECT_URL, ...fields },
  )

export function bankCollection(
  draw: ScenarioDraw,
  name: string,
  ending: string,
  customer: CustomerPlan,
  more: ScenarioChanges = {},
): Scenario {
  const { amount, account: accountOf } = draw
  const [customer_name, account] = ['Amina Nakato', accountOf('01', ending)]
  const body = bodies.bankCollection({ amount: 1_000 + amount(), redirect_url: REDIRECT_URL, customer_name })
  return collection(draw, `of a bank ${name}`, ending, { body, account, customer, ...more })
}

export function payout(
  { phone, amount }: ScenarioDraw,
  name: string,
  ending: string,
  more: ScenarioChanges = {},
  fields: Fields = {},
): Scenario {
  const account = phone(ending)
  const body = bodies.mobilePayout({ account_number: account, amount: amount(), ...fields })
  const outcomes = outcomesOf('PAYOUT', ending)
  return { ...USUAL, name: `payout ${name}`, operation: 'sendFunds', body, account, outcomes, ...more }
}

export function bankPayout(draw: ScenarioDraw, ending: string): Scenario {
  const account = draw.account('02', ending)
  const fields = bodies.bankPayout({ account_number: account, amount: 1_000 + draw.amount() })
  return payout(draw, `to a bank ${ending}`, ending, { account }, fields)
}
