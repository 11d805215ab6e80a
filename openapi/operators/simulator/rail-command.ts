import type { OpenOperator, Operator } from './operator.ts'

/** The line that makes this simulator a rail of a gateway: the gateway's command stands here and nowhere else. */
export function railCommand(operator: Operator, open: OpenOperator, baseUrl: string): string {
  const { base_url: url = baseUrl, currency = operator.currency, ...settings } = open.railSettings(baseUrl)
  // Secrets do not stand on a command line: the gateway takes them from its standard input.
  return [
    `malipo rail add trial-${operator.name.split('-')[0]} ${operator.name} --currency ${currency} --base-url ${url} --from - <<'END'`,
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    'END',
  ].join('\n')
}
