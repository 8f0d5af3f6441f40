// A thread that stays busy.
for (;;);
