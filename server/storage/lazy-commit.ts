/**
 * Stands in `from` of a statement whose commit nobody has to wait for: it may be lost when PostgreSQL crashes, for up to
 * half a second back. Claims are such: what was claimed is free again then, and who had it is told so when he holds it.
 * Whatever follows from a claim is committed in earnest, and with it all that was written before, the claim too.
 */
export const LAZY_COMMIT = `(select set_config('synchronous_commit', 'off', true)) as lazy_commit`
