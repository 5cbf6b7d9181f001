import { agree, choosePassword, newAddress, noteOf } from './support/accounts.ts'
import { expect, testAlone as test } from './support/journey.ts'

test('a visitor registers with a captcha', async ({ page, start }) => {
  const server = await start(
    { FEED: 'simulated:1', SETTING_REGISTRATION_CHECK: 'captcha' },
    'e2e/support/captcha-server.ts',
  )
  const captchas = () => [...server.output().matchAll(/^Captcha (\d{5})$/gm)].map(([, digits = '']) => digits)
  const address = newAddress()
  const main = page.getByRole('main')
  const digits = main.getByRole('textbox', { name: 'Digits of the picture' })
  const picture = main.getByRole('img', { name: 'Picture with five digits' })
  await page.goto(`${server.url}/#/register`)
  await expect(picture).toBeVisible()
  // The picture has loaded.
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)

  await test.step('another captcha can be requested', async () => {
    const before = await picture.getAttribute('src')
    await digits.fill('12')
    await main.getByRole('button', { name: 'New picture' }).click()
    await expect(picture).not.toHaveAttribute('src', before ?? '')
    await expect(digits).toHaveValue('')
    expect(captchas()).toHaveLength(2)
  })

  await main.getByRole('textbox', { name: 'E-mail address' }).fill(address)
  await choosePassword(page, 'Choose a password')
  await agree(page)

  await test.step('wrong digits load a new captcha and keep the other input', async () => {
    await digits.fill(captchas().at(-1) === '00000' ? '11111' : '00000')
    await main.getByRole('button', { name: 'Open an account' }).click()
    await expect(await noteOf(digits)).toContainText('picture')
    await expect.poll(() => captchas().length).toBe(3)
    await expect(main.getByRole('textbox', { name: 'E-mail address' })).toHaveValue(address)
  })

  await digits.fill(captchas().at(-1) ?? '')
  await main.getByRole('button', { name: 'Open an account' }).click()
  await expect(page).toHaveURL(/#\/$/)
  await page.goto(`${server.url}/#/user`)
  await expect(main.getByText(address)).toBeVisible()
})
