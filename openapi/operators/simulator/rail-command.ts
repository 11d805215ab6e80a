import type { OpenOperator, Operator } from './operator.ts'

// The only place with the gateway's command.

/**
 * The command that adds this simulator to a gateway as a rail. Secrets go through a pipe: others can read a command
 * line.
 */
export const railCommand = ({ name, currency }: Operator, baseUrl: string): string =>
  [
    `curl -sS ${baseUrl}/simulator/rail.env |`,
    `  npx --no -- malipo rail add ${name}-simulator ${name} --currency ${currency} --base-url ${baseUrl} --from -`,
  ].join('\n')

/** Answers for `rail add --sandbox`: which rail this is, and its settings for each currency. */
export const railRecord = ({ name, currency }: Operator, { railSettings, countries }: OpenOperator) => ({
  kind: name,
  rail_accounts: (countries ?? [{ currency, settings: {} }]).map((country) => ({
    currency: country.currency,
    settings: { ...railSettings, ...country.settings },
  })),
})

/** The settings in the format of `rail add --from`; a certificate takes several lines. */
export const railEnv = ({ railSettings }: OpenOperator): string =>
  Object.entries(railSettings)
    .map(([name, value]) => `${name}=${value.trimEnd()}\n`)
    .join('')
