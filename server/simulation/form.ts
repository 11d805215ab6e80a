/**
 * How orders reach the operator. `simulated`: by the port, an operator that knows its terms. `wire`: by the real
 * adapters, as HTTP requests to an operator that knows nothing but its contract.
 */
export type Form = 'simulated' | 'wire'

export const FORMS: readonly Form[] = ['simulated', 'wire']

/** @returns undefined for a name that no form has */
export const formCalled = (name: string): Form | undefined => FORMS.find((form) => form === name)
