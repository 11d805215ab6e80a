import type { Environment } from '../../domain/rail-account.ts'

// Not "no money": an operator's own sandbox may charge a real phone number.
const MEANING = { production: 'real money', trial: 'tests only' } as const satisfies Record<Environment, string>

/** The operator's environment, and what it means for whoever reads it for the first time. */
export const environmentText = ({ environment }: { readonly environment: Environment }): string =>
  `${environment}: ${MEANING[environment]}`
