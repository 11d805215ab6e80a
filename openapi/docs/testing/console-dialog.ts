import type { Locator, Page } from 'playwright-core'

// Page object for the console of the docs.

export const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Try it in the sandbox' })
export const replyIn = (dialog: Locator) => dialog.getByRole('group', { name: 'Body of the reply' }).textContent()
export const answered = (dialog: Locator, status: string) => dialog.locator('#try-status').getByText(status).waitFor()
export const sendIn = (dialog: Locator) => dialog.getByRole('button', { name: 'Send', exact: true })
export const sentIn = async (dialog: Locator) =>
  (await dialog.getByRole('group', { name: 'What was sent, for curl' }).textContent()) ?? ''
export const referenceIn = async (dialog: Locator): Promise<string> => {
  const body = JSON.parse(await dialog.getByLabel('JSON').inputValue()) as { readonly merchant_reference: string }
  return body.merchant_reference
}
