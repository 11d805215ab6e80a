import { getRequest } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import type { Fields } from '../../harness/json.ts'
import { holdBody, REFUSED, type Kind } from './input-requests.ts'
import { pieces, PRINTABLE } from './texts.ts'

const SOURCE = 'the pattern of the field in the contract'
const RULE = 'an unknown code is not refused'

/** Unknown codes, with every printable character: the rule "messages" sees that a refusal repeats them as sent. */
export async function characters(fixture: DriverFixture): Promise<void> {
  const refused = (kind: Kind, change: Fields): Promise<unknown> =>
    holdBody(fixture, kind, change, RULE, { expected: REFUSED, source: SOURCE })
  await forEachOf(pieces(`~${PRINTABLE.slice(1)} .`, 64), async (code) => {
    await refused('a collection', { provider_code: code })
    await refused('a payout', { provider_code: code })
    await refused('a bank payout', { extra_params: { bank_code: code } })
    const driver = fixture.driver('banks of an unknown provider')
    const path = `/data/payout-bank-codes?provider_code=${encodeURIComponent(code)}`
    driver.expect('listPayoutBanks', await driver.send(getRequest(fixture.target, path)), REFUSED, RULE, SOURCE)
  })
  await forEachOf(pieces(PRINTABLE.slice(1), 32), (msisdn) => refused('a collection', { msisdn }))
}
