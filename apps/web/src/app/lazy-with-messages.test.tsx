import { startTransition, Suspense, useLayoutEffect } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { LocaleProvider } from '../i18n/locale-provider.tsx'
import { loadMessages } from '../i18n/message-catalogue.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { lazyWithMessages } from './lazy-with-messages.tsx'

/** Renders as the app does; returns how often the fallback was shown. */
async function renderLazy(screen: ReactNode): Promise<() => number> {
  let shown = 0
  const Missing = () => {
    useLayoutEffect(() => {
      shown += 1
    }, [])
    return null
  }
  const first = { language: 'en', messages: await loadMessages('en', 'first') } as const
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  startTransition(() =>
    root.render(
      <LocaleProvider language="en" first={first} isMoneyHidden={false}>
        <ErrorBoundary>
          <Suspense fallback={<Missing />}>{screen}</Suspense>
        </ErrorBoundary>
      </LocaleProvider>,
    ),
  )
  return () => shown
}

const Ticket = () => <p>the ticket</p>

function screenFrom(load: () => Promise<typeof Ticket>): ReactNode {
  const Screen = lazyWithMessages('trading', load)
  return <Screen />
}

test('a preloaded screen is shown without a fallback', async () => {
  const Screen = lazyWithMessages('trading', () => Promise.resolve(Ticket))
  await Screen.preload()
  const timesMissing = await renderLazy(<Screen />)
  await expect.element(page.getByText('the ticket')).toBeVisible()
  expect(timesMissing()).toBe(0)
})

test('a screen that is not preloaded shows the fallback until it is loaded', async () => {
  const loading = Promise.withResolvers<typeof Ticket>()
  const timesMissing = await renderLazy(screenFrom(() => loading.promise))
  await expect.poll(timesMissing).toBe(1)
  loading.resolve(Ticket)
  await expect.element(page.getByText('the ticket')).toBeVisible()
})

test('retries a failed preload, and shows the failure of a screen that cannot be loaded', async () => {
  const answers = [Promise.reject(new Error('load failed')), Promise.resolve(Ticket)]
  const Screen = lazyWithMessages(
    'trading',
    () => answers.shift() ?? Promise.reject(new Error('loaded too often')),
  )
  await expect(Screen.preload()).rejects.toThrow('load failed')
  await renderLazy(<Screen />)
  await expect.element(page.getByText('the ticket')).toBeVisible()
  await renderLazy(screenFrom(() => Promise.reject(new Error('load failed'))))
  await expect.element(page.getByText('This screen stopped working')).toBeVisible()
})

test('"Try again" loads a screen whose load failed while it was shown', async () => {
  const [first, second] = [Promise.withResolvers<typeof Ticket>(), Promise.withResolvers<typeof Ticket>()]
  const attempts = [first, second]
  await renderLazy(
    screenFrom(() => attempts.shift()?.promise ?? Promise.reject(new Error('loaded too often'))),
  )
  await expect.poll(() => attempts).toEqual([second])
  first.reject(new Error('load failed'))
  await expect.element(page.getByText('This screen stopped working')).toBeVisible()
  expect(attempts).toEqual([second])
  await page.getByRole('button', { name: 'Try again' }).click()
  second.resolve(Ticket)
  await expect.element(page.getByText('the ticket')).toBeVisible()
})
