/**
 * Optimizer fence: a condition that the planner cannot use to choose an index. A plan made for a small table stays
 * cached when the table is large. Where a row is found by a key, another index with the same first column would cost
 * the same on the first day, and would scan the backlog later.
 */
export const optimizerFence = (condition: string): string => `(${condition}) is true`
