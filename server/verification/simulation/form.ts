/**
 * How orders reach the operator. `simulated`: through the port, to an operator that knows the port's types. `wire`:
 * through the real adapters, as HTTP requests to an operator that knows only its contract.
 */
export type Form = 'simulated' | 'wire'

export const FORMS: readonly Form[] = ['simulated', 'wire']

/** @returns undefined for an unknown name */
export const formCalled = (name: string): Form | undefined => FORMS.find((form) => form === name)
