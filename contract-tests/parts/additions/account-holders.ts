import { isDeepStrictEqual } from 'node:util'
import type { AdditionsFixture } from './additions-fixture.ts'

/** Any number of stars hides the rest of a word. */
const MASKED = /^\p{L}\**(?: \p{L}\**)*$/u
const STATUSES = { '011': 'NOT_FOUND', '012': 'INACTIVE', '014': 'ACTIVE', '123': 'ACTIVE' } as const

/** Who has a number by the test numbers of the sandbox, and which provider it has. */
export async function accountHolders(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('account holders')
  const secret = { 'secret-key': fixture.target.secretKey }
  for (const [ending, status] of Object.entries(STATUSES)) {
    const number = driver.phone(ending)
    const ask = async (written: string) =>
      (await driver.get(`/data/account-holder?provider_code=mtn_ug&msisdn=${encodeURIComponent(written)}`, secret)).data
    const data = await ask(number)
    const { account_status: said, msisdn, masked_name: name } = data
    const about = `of ${number} it says ${JSON.stringify(data)}`
    driver.hold('findAccountHolder', said === status, 'the status of an account', `${about}, and it is ${status}`)
    driver.hold('findAccountHolder', msisdn === number, 'the account that was asked for', about)
    const isRight = ending === '123' ? typeof name === 'string' && MASKED.test(name) : name === undefined
    driver.hold('findAccountHolder', isRight, "a holder's name is the operator's, masked", about)
    const again = await ask(`+${number}`)
    driver.hold('findAccountHolder', isDeepStrictEqual(again, data), 'one answer for an hour', JSON.stringify(again))
    const predict = async (query: string, keys: Readonly<Record<string, string>>) =>
      (await driver.get(`/data/predict-provider?msisdn=${query}`, keys)).data
    const local = await predict(`0${number.slice(3)}&country=UG`, {})
    const expected = { msisdn: number, country: 'UG', provider_code: 'mtn_ug', provider_name: local.provider_name }
    const isExpected = isDeepStrictEqual(local, { ...expected, source: 'PREFIX' })
    driver.hold('predictProvider', isExpected, 'a prefix names the provider', JSON.stringify(local))
    const source = status === 'ACTIVE' ? 'OPERATOR' : 'PREFIX'
    const asked = await predict(number, secret)
    driver.hold('predictProvider', asked.source === source, 'an operator that has the account', JSON.stringify(asked))
  }
  const bank = await driver.get('/data/account-holder?provider_code=bank_ng&msisdn=256772000123', secret)
  driver.expect('findAccountHolder', bank, 400, 'a provider of banks', 'the contract')
  // Several countries have it.
  const shared = await driver.get('/data/predict-provider?msisdn=262269300000', {})
  const has = Object.keys(shared.data)
  driver.hold('predictProvider', !has.includes('country'), 'a number of several countries', `it has ${has.join(', ')}`)
}
