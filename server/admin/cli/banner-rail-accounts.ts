import type { RailAccountState } from '../../start/rail-account-states.ts'
import { MALIPO } from './called-as.ts'
import { shortTime, tableText } from './output.ts'
import { environmentText, lackText, takenText } from './rail-directions.ts'

/** What the banner prints about the rail accounts; undefined when there are none. */
export function railAccountsText(railAccounts: readonly RailAccountState[]): string | undefined {
  if (railAccounts.length === 0) return undefined
  // Not truncated: the last column holds the reason why something does not work, and the text goes into logs as well.
  const table = tableText(
    railAccounts,
    [
      { title: 'RAIL ACCOUNT', of: ({ name }) => name },
      { title: 'OPERATOR', of: ({ operator }) => operator },
      { title: 'COUNTRY', of: ({ country }) => country },
      { title: 'CURRENCY', of: ({ currency }) => currency },
      { title: 'ENVIRONMENT', of: environmentText },
      { title: 'TAKES', of: ({ directions }) => takenText(directions) },
      { title: 'PROVIDERS', of: ({ providers }) => providers.join(', ') || 'none yet' },
      { title: 'STATE', of: stateText },
    ],
    Number.POSITIVE_INFINITY,
  )
  return `\nConnections to operators:\n\n${table.replaceAll(/^/gm, '  ')}\n\n${MALIPO} rail check <rail-account> tests one: no money is moved.\n`
}

function stateText({ fault, circuit, downSince, isPrivate, lacks }: RailAccountState): string {
  const where = isPrivate ? ' (private addresses allowed)' : ''
  if (fault !== undefined) return `cannot be connected: ${fault}`
  if (downSince) return `its operator has not answered since ${shortTime(downSince)}: orders wait${where}`
  if (circuit !== 'closed') return `its operator does not answer: orders wait${where}`
  // No request has been sent yet, so nobody knows whether the operator answers.
  return `ready${where}${lacks.map((lack) => `; ${lackText(lack)}`).join('')}`
}

/** The same for programs. */
export const railAccountRecord = (state: RailAccountState) => ({
  name: state.name,
  operator: state.operator,
  country: state.country ?? null,
  currency: state.currency,
  environment: state.environment,
  transaction_types: state.directions,
  lacks: state.lacks.map(({ type, missing }) => ({ transaction_type: type, settings: missing })),
  providers: state.providers,
  connectable: state.fault === undefined,
  fault: state.fault ?? null,
  circuit: state.circuit,
  down_since: state.downSince ?? null,
  private_network: state.isPrivate,
})
