// The shapes that only the settings read, by the names that they use. Durations are texts such as "1h 30m".

import type * as Wire from '../model/wire_generated.ts';

export type { Account, AgentTest, Allowance, Budget, ChainRule, QuietHours, Repositories, ResourceLimits, Retention, SetupCache, SuspectedCopy, TaskTemplate, Token, WorkCleaned, WorkList, WorkTree } from '../model/wire_generated.ts';

// A shape that a form makes; the fields that only answers hold may be absent.
export type ColumnSettings = Omit<Wire.Column, 'require_claim'> & { require_claim?: boolean; renamed?: boolean };
export type LandLimitSettings = Partial<NonNullable<Wire.Board['land_limits']>>;
export type BoardSettings = Omit<Wire.Board, 'columns' | 'land_limits'> & { columns: ColumnSettings[]; land_limits?: LandLimitSettings };
export type ClassSettings = Wire.ClassOfService;
export type WorkerSettings = Omit<Wire.Worker, 'paused' | 'created' | 'queued'> & { paused?: boolean };
export type Automation = Omit<Wire.Automation, 'created'>;
export type Commands = Record<string, string[]>;
