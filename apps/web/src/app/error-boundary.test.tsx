import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { LocaleProvider } from '../i18n/locale-provider.tsx'
import { loadMessages } from '../i18n/message-catalogue.ts'
import { ErrorBoundary } from './error-boundary.tsx'

test('a failed screen shows an error, leaves the others working, and can be retried', async () => {
  let isBroken = true
  const Screen = () => {
    if (isBroken) throw new Error('broken')
    return <p>working again</p>
  }
  const first = { language: 'en', messages: await loadMessages('en', 'first') } as const
  await render(
    <LocaleProvider language="en" first={first} isMoneyHidden={false}>
      <p>another screen</p>
      <ErrorBoundary>
        <Screen />
      </ErrorBoundary>
    </LocaleProvider>,
  )
  await expect.element(page.getByText('This screen stopped working')).toBeVisible()
  await expect.element(page.getByText('another screen')).toBeVisible()
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('working again')).toBeVisible()
})
