/**
 * A condition that no index is chosen for. A plan that was made while a table was small is kept when it is large: where a
 * row has a key, another index with the same first column would cost nothing on the first day, and the backlog later.
 */
export const beyondIndexes = (condition: string): string => `(${condition}) is true`
