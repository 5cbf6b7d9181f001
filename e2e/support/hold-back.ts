import type { Page } from '@playwright/test'

/** Holds back requests to an address until the returned function is called. */
export async function holdBack(page: Page, url: string): Promise<() => void> {
  let answer = (): void => undefined
  const released = new Promise<void>((resolve) => void (answer = resolve))
  await page.route(url, async (route) => {
    await released
    await route.continue()
  })
  return answer
}
