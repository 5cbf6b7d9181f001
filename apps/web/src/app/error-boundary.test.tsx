import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { LocaleProvider } from '../i18n/locale-provider.tsx'
import { loadMessages } from '../i18n/message-catalogue.ts'
import { ErrorBoundary } from './error-boundary.tsx'

test('a screen that breaks says so, leaves the others alone, and can be tried again', async () => {
  let isBroken = true
  const Screen = () => {
    if (isBroken) throw new Error('planted')
    return <p>whole again</p>
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
  await expect.element(page.getByText('whole again')).toBeVisible()
})
