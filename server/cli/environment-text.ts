import type { Environment } from '../domain/installation.ts'

// Not "no money": an operator's own sandbox may charge a real line.
const MEANING = { production: 'real money', trial: 'tests only' } as const satisfies Record<Environment, string>

/** Which of the operator's worlds, with what that means for whoever reads it for the first time. */
export const environmentText = ({ environment }: { readonly environment: Environment }): string =>
  `${environment}: ${MEANING[environment]}`
