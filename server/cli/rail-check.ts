export async function check(_name: string, _options: { account?: string; json?: true }): Promise<void> {
  await Promise.resolve()
}
