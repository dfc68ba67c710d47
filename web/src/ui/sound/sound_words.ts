import type { SoundState } from '../../app/sound.ts';
import type { SoundMode } from '../../sound/sound_choice.ts';
import type { IconName } from '../icons/paths.ts';

export const kSoundWords: Record<SoundState, { label: string; icon: IconName }> = {
  off: { label: 'Sound is off', icon: 'speaker_off' },
  waiting: { label: 'Sound starts with your next click', icon: 'speaker_waiting' },
  on: { label: 'Sound is on', icon: 'speaker' },
};

export const kModes: readonly { mode: SoundMode; title: string }[] = [
  { mode: 'off', title: 'Off' },
  { mode: 'all', title: 'All' },
  { mode: 'needs_me', title: 'Only what needs me' },
];
