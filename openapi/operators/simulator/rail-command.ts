import type { OpenOperator, Operator } from './operator.ts'

// The gateway's command stands here and nowhere else.

/** The line that makes this simulator a rail of a gateway. Secrets come by a pipe: others can read a command line. */
export const railCommand = ({ name, currency }: Operator, baseUrl: string): string =>
  [
    `curl -sS ${baseUrl}/simulator/rail.env |`,
    `  npx --no -- malipo rail add ${name}-simulator ${name} --currency ${currency} --base-url ${baseUrl} --from -`,
  ].join('\n')

/** What `rail add --sandbox` asks: which rail this is, and its settings for each currency. */
export const railRecord = ({ name, currency }: Operator, { railSettings, countries }: OpenOperator) => ({
  kind: name,
  railAccounts: (countries ?? [{ currency, settings: {} }]).map((country) => ({
    currency: country.currency,
    settings: { ...railSettings, ...country.settings },
  })),
})

/** The settings as `rail add --from` reads them; a certificate goes over several lines. */
export const railEnv = ({ railSettings }: OpenOperator): string =>
  Object.entries(railSettings)
    .map(([name, value]) => `${name}=${value.trimEnd()}\n`)
    .join('')
