import type { Terminal } from './terminal.ts'
import { readUrl, type OptionHelp } from './usage.ts'

/** The default address of a sandbox. */
const GATEWAY = 'http://127.0.0.1:8080'

/** The option of all commands that call a sandbox. */
export const GATEWAY_OPTION = {
  type: 'string',
  value: 'URL',
  help: `the running sandbox (MALIPO_URL, also of .env.development here, or ${GATEWAY})`,
} as const satisfies OptionHelp

/** @throws UsageError */
export const gatewayOf = (given: string | undefined, { gatewayUrl }: Pick<Terminal, 'gatewayUrl'>): URL =>
  given === undefined ? readUrl(gatewayUrl ?? GATEWAY, 'MALIPO_URL') : readUrl(given, '--gateway')
