"""Every fault that is caused for real, and the test that causes it.

After each, the next measurement works, what was finished is on disk, and no process and no shared memory is left:
``conftest.py`` looks after every test of this folder. Files of other folders are named with theirs.

- Ctrl-C, SIGTERM: bench/test_pytest_plugin ..interrupted_run_keeps_what_landed_and_leaves_no_process
- kill -9 of the run: test_runs ..kill_9_of_the_run_leaves_nothing_but_what_was_finished;
  bench/test_pytest_plugin ..killed_run_leaves_no_process_and_is_gone_on_with_and_nothing_is_measured_twice
- kill -9 of an arm, of what forked it, of the fork server: test_arms ..kill_9_of_any_process_breaks_one_pair_only
- segfault: bench/test_engine ..segfault_is_contained_and_named
- hang: bench/test_engine ..hang_is_ended_by_its_timeout
- exit inside a step: bench/test_engine ..exit_inside_a_step_is_no_success
- out of memory, by the kernel: test_arms ..the_kernel_out_of_memory_is_told
- out of memory, by a limit: test_arms ..a_limit_on_memory_is_an_exception_with_its_words;
  bench/test_engine ..memory_hog_is_ended_by_its_limit
- children that outlive their arm: bench/test_engine ..children_do_not_outlive_their_arm
- children that left its session: test_arms ..children_that_leave_their_session_do_not_outlive_the_pair
- children that hold its pipe: test_arms ..kill_9_of_any_process_breaks_one_pair_only[arm]
- closed pipes: bench/test_engine ..closed_pipes_are_noticed
- megabytes printed: test_arms ..megabytes_on_both_outputs_do_not_fill_the_disk
- an exception that cannot be pickled, or printed: test_arms ..an_exception_that_can_be_neither_pickled_nor_printed
- text that no document can hold: test_arms ..what_no_document_can_hold_is_told_in_what_it_can
- a record that no document can hold: test_runs ..a_record_that_cannot_be_written_down_costs_its_own_point_only
- shared memory left behind: test_arms ..shared_memory_goes_with_whoever_made_it
- a /dev/shm of 64 MB: test_arms ..a_small_shared_memory_breaks_the_pair_that_needs_more
- half a core: test_arms ..half_a_core_is_measured_as_ever
- 0, 1, 64 reported cores: test_arms ..any_number_of_reported_cores_is_measured
- a GPU lost in mid-run: test_gpu ..a_lost_gpu_costs_its_own_points_only, ..a_lost_gpu_is_a_refusal_with_cudas_own_words
- a GPU lost before the run: test_gpu ..a_machine_is_described_though_its_gpu_cannot_be_asked
- an NVML that refuses: test_gpu ..an_nvml_that_refuses_every_call_leaves_the_other_numbers; bench/test_nvml
- no nvidia-smi, no git: test_runs ..the_command_tells_a_full_disk_in_one_line_without_git_and_nvidia_smi
- disk full before the run: bench/test_store ..a_full_disk_is_told_before_the_first_measurement
- disk full in mid-run: test_runs ..a_disk_that_fills_up_ends_the_run_with_its_words, and the command as above
- results folder read-only: test_runs ..a_folder_that_becomes_read_only_ends_the_run_with_its_words
- results folder gone: test_runs ..a_folder_that_vanishes_is_made_again
- a file in its place: test_runs ..a_file_in_the_folders_place_ends_the_run_with_its_words
- two runs at once: test_runs ..runs_that_begin_in_the_same_second_get_a_place_each
- two writers of one run: test_runs ..kill_9_of_the_run_leaves_nothing_but_what_was_finished
- clock stepping back: test_runs ..a_clock_that_steps_back_harms_nothing
- damaged, cut, foreign, huge, hostile, newer result files: bench/test_results; report/test_select; tests/fuzz
"""
