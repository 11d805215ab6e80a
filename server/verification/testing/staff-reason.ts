const STAFF =
  /^(rate set|provider set|rail (set|remove)|people (invite|reset|change|end)|merchant (set|suspend|resume)|keys (rotate|withdraw|reseal)|wallet (deposit|transfer)|transaction (resolve|refund|cancel)|approval (approve|refuse|rules (set|remove)))( |$)/
let moved = 0

/**
 * Adds the required reason to a command that changes something, and the reference to a movement of money, where a test
 * is about something else and gives none.
 */
export function withReason(args: readonly string[]): readonly string[] {
  if (!STAFF.test(args.slice(0, 3).join(' ')) || args.includes('--help')) return args
  const isMovement = args[0] === 'wallet' && !args.includes('--reference')
  return [
    ...args,
    ...(args.includes('--reason') ? [] : ['--reason', 'A test of something else']),
    ...(isMovement ? ['--reference', `TEST-${process.pid}-${(moved += 1)}`] : []),
  ]
}
