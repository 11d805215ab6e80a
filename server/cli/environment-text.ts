import type { Environment } from '../domain/installation.ts'

const MEANING = { production: 'real money', trial: 'no real money' } as const satisfies Record<Environment, string>

/** Which of the operator's worlds, with what that means for whoever reads it for the first time. */
export const environmentText = ({ environment }: { readonly environment: Environment }): string =>
  `${environment}: ${MEANING[environment]}`
