import type { Fields } from '../../harness/json.ts'
import { getRequest } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { holdBody, REFUSED, type Kind } from './input-requests.ts'
import { BASE32, pieces, PRINTABLE } from './texts.ts'

const SOURCE = 'the pattern of the field in the contract'

/** Each character of an unknown code and of an internal reference. */
export async function characters(fixture: DriverFixture): Promise<void> {
  await codes(fixture)
  await forEachOf(pieces(BASE32, 22), async (symbols) => {
    const driver = fixture.driver('an internal reference')
    const reply = await driver.post('authorizeCollection', {
      internal_reference: `MLP${symbols.toUpperCase()}`,
      otp: 123_456,
    })
    const rule = 'internal_reference: an allowed symbol is refused'
    driver.expect('authorizeCollection', reply, 404, rule, SOURCE)
  })
}

/** Unknown codes, with every printable character: the rule "messages" sees that a refusal repeats them as sent. */
async function codes(fixture: DriverFixture): Promise<void> {
  const refused = (kind: Kind, change: Fields): Promise<unknown> =>
    holdBody(fixture, kind, change, 'an unknown code is not refused', { expected: REFUSED, source: SOURCE })
  await forEachOf(pieces(`~${PRINTABLE.slice(1)} .`, 64), async (code) => {
    await refused('a collection', { provider_code: code })
    await refused('a payout', { provider_code: code })
    await refused('a bank payout', { extra_params: { bank_code: code } })
    const driver = fixture.driver('banks of an unknown provider')
    const path = `/data/payout-bank-codes?provider_code=${encodeURIComponent(code)}`
    const reply = await driver.send(getRequest(fixture.target, path))
    driver.expect('listPayoutBanks', reply, REFUSED, 'an unknown code is not refused', SOURCE)
  })
  await forEachOf(pieces(PRINTABLE.slice(1), 32), (msisdn) => refused('a collection', { msisdn }))
}
