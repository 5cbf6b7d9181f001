import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { OwnMenu } from './own-menu.tsx'
import { Brand, type Frame, SectionLinks } from './rail.tsx'

/** The rail of a phone: a bar above the screen, and a menu. */
export function PhoneBar({ self, sections, minutesLeft }: Frame) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <div className="flex items-center gap-2.5 bg-surface px-4 py-1">
      <Brand />
      <span className="ms-auto -me-2">
        <IconButton icon={Menu} label="Menu" aria-expanded={isOpen} onClick={() => setIsOpen(true)} />
      </span>
      <Sheet isOpen={isOpen} onClose={close} title="Menu" closeLabel="Close" side="start">
        <SectionLinks sections={sections} onGo={close} />
        <div className="pt-4">
          <OwnMenu self={self} minutesLeft={minutesLeft} />
        </div>
      </Sheet>
    </div>
  )
}
