import { faultIf, type Fault } from './observed-exchange.ts'
import type { Judging, RecordedServer, Rule } from './rule.ts'
import { hmacFaults, ofPaymentFaults, webhookFaults } from './signatures/faults.ts'
import { createOwners } from './signatures/owners.ts'
import { createMessageReader, type SignedMessage } from './signatures/signed-messages.ts'

/** Verifies the HMAC and the webhook signature of each message, over its bytes as they were recorded. */
function signatureJudging({ contract, accounts }: RecordedServer): Judging {
  const read = createMessageReader(contract)
  const given = accounts.filter((account) => account !== undefined)
  const owners = createOwners(given)
  let unknown = 0
  const judged = (message: SignedMessage): readonly Fault[] => {
    const own = owners.of(message)
    const signing = { owners: own, others: given.filter((account) => !own.includes(account)) }
    const verified = [hmacFaults(message, signing), webhookFaults(message, signing)]
    unknown += verified.filter((faults) => faults === undefined).length
    const { name, about } = message
    const astray = `${name} about a payment of one merchant came to a URL of another one`
    return [
      ...faultIf(owners.isAstray(message), `astray ${about}`, astray, about),
      ...missingFaults(message),
      ...ofPaymentFaults(message),
      ...verified.flatMap((faults) => faults ?? []),
    ]
  }
  return {
    each: (seen) => {
      owners.note(seen)
      return read(seen).flatMap(judged)
    },
    end: () =>
      unknown === 0
        ? []
        : { notJudged: `${unknown} signatures need a SIGNING_KEY or WEBHOOK_SECRET that is not given` },
  }
}

const missingFaults = ({ missing, name, about }: SignedMessage): readonly Fault[] =>
  missing.map((signature) => ({
    rule: `${signature} missing in ${about}`,
    what: `${name} has no ${signature}, which the contract requires`,
    about,
  }))

export const signaturesRule: Rule = {
  name: 'signatures',
  reason:
    'Merchants believe a message by its signature alone: each verifies over the bytes that came, with the keys of its own merchant, and its time is that of the message.',
  plantedFault: 'webhook-body-spaced',
  judging: signatureJudging,
}
